import { expect, test } from 'vitest'
import type { NatFinding } from '#lib/cloud/nat/check.schema'
import { mendAll } from '#lib/cloud/nat/mend'

const finding = (href?: string): NatFinding => ({
  links: [],
  identity: `NATCHECK-2.${href}`,
  code: 'NATCHECK-2',
  severity: 'error',
  message: href ?? '',
  ...(href !== undefined && { fix: { method: 'DELETE', href } }),
})

const LIMIT = 10

/** Findings that a request fixes, except for those of `refused`. */
function place(hrefs: readonly (string | undefined)[], refused: readonly string[] = []) {
  let left = hrefs.map(finding)
  const sent: string[] = []
  const stop = new AbortController()
  const noted: number[] = []
  const run = () =>
    mendAll({
      // A page beyond the end is the last one, as in the API.
      read: async (startwith) => {
        const first = startwith < left.length ? startwith : Math.max(left.length - LIMIT, 0)
        return { collection: left.slice(first, first + LIMIT), totalSize: left.length }
      },
      send: async ({ href }) => {
        sent.push(href)
        if (refused.includes(href)) throw new Error(`refused ${href}`)
        left = left.filter(({ fix }) => fix?.href !== href)
      },
      noted: ({ mended, failed }) => {
        noted.push(mended + failed)
        if (mended === 15) stop.abort()
      },
      signal: stop.signal,
    })
  return { run, sent, noted, left: () => left.map(({ message }) => message) }
}

const hrefs = (count: number): string[] => Array.from({ length: count }, (_, index) => `/rule/${index}`)

test('all findings are fixed, also those of later pages, each request once', async () => {
  const { run, sent, noted, left } = place(['/rule/0', ...hrefs(14)])
  expect(await run()).toEqual({ mended: 15, failed: 0 })
  expect(sent).toEqual(hrefs(14))
  expect(noted).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
  expect(left()).toEqual([])
})

test('refused findings, and findings without a request, stay, and the rest is fixed', async () => {
  const refused = hrefs(40).filter((_, index) => index % 4 !== 0)
  const { run, sent, left } = place([undefined, ...hrefs(40), undefined], refused)
  expect(await run()).toEqual({ mended: 10, failed: 30 })
  expect(sent).toEqual(hrefs(40))
  expect(left()).toEqual(['', ...refused, ''])
})

test('throws the first refusal if nothing could be fixed', async () => {
  const { run, sent } = place(hrefs(12), hrefs(12))
  await expect(run()).rejects.toThrow('refused /rule/0')
  expect(sent).toHaveLength(12)
})

test('ends where it is stopped', async () => {
  const { run, sent, left } = place(hrefs(40))
  expect(await run()).toEqual({ mended: 15, failed: 0 })
  expect([sent.length, left().length]).toEqual([15, 25])
})
