import { readMetrics } from '#lib/metrics/scrape.server'
import { open } from '#lib/pipeline/open.server'

export const GET = open(
  {
    summary: 'What is measured, for Prometheus: from this machine, or with METRICS_TOKEN',
    answers: 'text/plain',
    refuses: ['401-UNAUTHORIZED', '403-FORBIDDEN'],
  },
  readMetrics,
)
