import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from 'next/constants.js'

/** @returns {Promise<import('next').NextConfig>} */
export default async (phase) => ({
  // What is built needs no rules for building.
  ...(phase !== PHASE_PRODUCTION_SERVER && {
    turbopack: {
      rules: {
        ...(await import('./lib/tools/scripts/unused.js')).unusedRules,
        // React Aria speaks 34 languages, the console two.
        '**/{react-aria,react-aria-components,react-stately}/dist/private/**/{ar-AE,bg-BG,cs-CZ,da-DK,de-DE,el-GR,et-EE,fi-FI,fr-FR,he-IL,hr-HR,hu-HU,it-IT,ja-JP,ko-KR,lt-LT,lv-LV,nb-NO,nl-NL,pl-PL,pt-BR,pt-PT,ro-RO,ru-RU,sk-SK,sl-SI,sr-SP,sv-SE,tr-TR,uk-UA,zh-CN,zh-TW}.mjs':
          { loaders: ['./lib/tools/scripts/no-words.cjs'] },
        '*.md': { type: 'text' },
        '**/lib/words/{en,es}/*.ts': { loaders: ['./lib/tools/scripts/compile-messages.cjs'] },
      },
      // The build parses the messages, and the browser formats them (lib/tools/scripts/compile-messages.cjs).
      resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
    },
  }),
  // Pages are .tsx, pages of development alone .dev.tsx (app/kit), routes .ts. In production the front server alone serves the routes: a copy
  // in Next would have another `lib/`.
  pageExtensions: phase === PHASE_DEVELOPMENT_SERVER ? ['dev.tsx', 'tsx', 'ts'] : ['tsx'],
  // The console has no image to scale, and a service that fetches what an address says is one to attack.
  images: { unoptimized: true },
  // A package names its commit here, so that the same commit gives the same files. Next generates an id otherwise.
  generateBuildId: () => process.env.BUILD_ID ?? null,
  poweredByHeader: false,
  devIndicators: false,
  skipTrailingSlashRedirect: true,
  experimental: {
    // What a machine builds once it needs not keep for another time.
    turbopackFileSystemCacheForBuild: process.env.CI === undefined,
    // Few large files: on a slow line each request costs more than the code of another screen (docs/performance.md).
    turbopackChunking: {
      minChunkSize: 1_000_000,
      maxMergeChunkSize: 6_000_000,
      maxChunkCountPerGroup: 4,
      requestCost: 2_000_000,
      firstPageLoadPriority: 0.9,
    },
  },
  serverExternalPackages: ['@node-rs/argon2', 'pino', 'pg', 'kysely'],
})
