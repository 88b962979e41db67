/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  devIndicators: false,
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ['@node-rs/argon2', 'pino', 'pg', 'kysely'],
}
