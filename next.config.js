import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'

/** @returns {Promise<import('next').NextConfig>} */
export default async (phase) => ({
  // What is built needs no rules for building.
  ...(phase !== PHASE_PRODUCTION_SERVER && {
    turbopack: { rules: (await import('./lib/styles/cloudscape.js')).styleRules },
  }),
  poweredByHeader: false,
  devIndicators: false,
  skipTrailingSlashRedirect: true,
  // What a machine builds once it needs not keep for another time.
  experimental: { turbopackFileSystemCacheForBuild: process.env.CI === undefined },
  serverExternalPackages: ['@node-rs/argon2', 'pino', 'pg', 'kysely'],
})
