import { open } from '#lib/request/pipeline/open.server'
import { readMetrics } from '#lib/server/scrape.server'

export const GET = open(readMetrics, {
  summary: 'Metrics for Prometheus: from this machine, or with METRICS_TOKEN',
  answers: { as: 'text/plain' },
  refuses: ['401-UNAUTHORIZED', '403-FORBIDDEN'],
})
