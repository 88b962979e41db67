import { afterEach, expect, test, vi } from 'vitest'
import type { BulkReport } from '#lib/record/bulk/bulk.schema'
import { type BulkCall, beginJobs, changedOf, filterText, followJobs, previewOf } from './bulk.queries'
import type { JobDocument } from './jobs.schema'

const empty: BulkReport = { links: [], total: 0, changed: 0, unchanged: 0, refused: 0, refusals: [], ids: [] }

const job = (id: number, facts: Partial<JobDocument> = {}): JobDocument => ({
  links: [],
  id,
  operation: 'natip.update',
  state: 'running',
  done: 0,
  refused: 0,
  created: '2026-11-29T12:00:00.000Z',
  ...facts,
})

const result = (id: number) => [{ rel: 'result', href: `http://localhost/api/jobs/${id}/report` }]

/** Replaces the API: each look at a job takes the next of its documents, and fails where there is none. */
function apiWith(
  jobs: Record<number, readonly (JobDocument | undefined)[]>,
  reports: Record<number, BulkReport> = {},
) {
  const looks = new Map<number, number>()
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
  vi.stubGlobal('fetch', async (path: string) => {
    const [id = 0, part] = path.replace('/api/jobs/', '').split('/')
    if (part === 'report') return Response.json(reports[Number(id)])
    const documents = jobs[Number(id)] ?? []
    const look = looks.get(Number(id)) ?? 0
    looks.set(Number(id), look + 1)
    const document = documents[Math.min(look, documents.length - 1)]
    return document ? Response.json(document) : new Response(null, { status: 503 })
  })
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const bulk = (begin: BulkCall['begin']): BulkCall => ({ begin, preview: async () => empty })

test('rows of two datacenters are two jobs with one sum, and only the changed rows are undone', async () => {
  const ended = (id: number, facts: Partial<JobDocument>) =>
    job(id, { state: 'done', links: result(id), ...facts })
  apiWith(
    {
      1: [job(1, { done: 1, total: 3 }), ended(1, { done: 3, total: 3 })],
      2: [ended(2, { done: 2, total: 2, refused: 1 })],
    },
    {
      1: { ...empty, total: 3, changed: 3, ids: [1, 3, 5], event: 10 },
      2: {
        ...empty,
        total: 2,
        changed: 1,
        refused: 1,
        ids: [2],
        event: 20,
        refusals: [{ id: 4, code: 'NAT-IP-3', message: 'Has rules' }],
      },
    },
  )
  const selections = [
    { at: 1, ids: [1, 3, 5] },
    { at: 2, ids: [2, 4] },
  ]
  const jobs = await beginJobs(
    bulk(async ({ at = 0 }) => job(at)),
    selections,
  )
  const seen: number[][] = []
  const sum = await followJobs(jobs, ({ done, total }) => seen.push([done, total]))
  expect(sum).toMatchObject({
    total: 5,
    done: 5,
    changed: 4,
    refused: 1,
    ids: [1, 3, 5, 2],
    events: [10, 20],
  })
  expect(sum.failure).toBeUndefined()
  // Rows of a job that has not counted them yet count from the start, so that the progress does not jump back.
  expect(seen.map(([, total]) => total)).toEqual([5, 5, 5])
  expect(changedOf(selections, sum.ids)).toEqual([
    { at: 1, ids: [1, 3, 5] },
    { at: 2, ids: [2] },
  ])
  expect(changedOf([{ filter: 'has=1' }], [7])).toEqual([{ at: undefined, ids: [7] }])
})

test('a job that cannot begin leaves the others, and all that cannot begin are one refusal', async () => {
  const refusal = new Error('refused')
  const call = bulk(async ({ at = 0 }) => {
    if (at === 2) throw refusal
    return job(at)
  })
  const one = { at: 1, ids: [1] }
  const other = { at: 2, ids: [2] }
  expect(await beginJobs(call, [one, other])).toMatchObject([{ job: { id: 1 }, failure: refusal }])
  await expect(beginJobs(call, [other])).rejects.toBe(refusal)
})

test('a job that fails says why, and one that cannot be asked for a while goes on', async () => {
  const failed = job(1, { state: 'failed', done: 2, code: '403-FORBIDDEN', message: 'You may not' })
  apiWith({ 1: [undefined, undefined, failed] })
  const followed = followJobs([{ job: job(1), size: 9 }], () => undefined)
  const { done, total, failure } = await followed
  expect([done, total]).toEqual([2, 9])
  expect(failure).toMatchObject({ faults: [{ code: '403-FORBIDDEN', message: 'You may not' }] })
})

test('the preview of several datacenters adds up the uses of their rows', async () => {
  const impacts: Record<number, BulkReport['impact']> = {
    1: { attached: 2, defaultSnat: 1, rules: 3, enterprises: ['Cobalt', 'Delta'], totalEnterprises: 3 },
    2: { attached: 1, defaultSnat: 0, rules: 0, enterprises: ['Cobalt'], totalEnterprises: 1 },
  }
  const call: BulkCall = {
    begin: async () => job(1),
    preview: async ({ at = 0 }) => ({ ...empty, total: at * 10, impact: impacts[at] }),
  }
  const selections = [
    { at: 1, ids: [1] },
    { at: 2, ids: [2] },
  ]
  expect(await previewOf(call, selections)).toMatchObject({
    total: 30,
    impact: { attached: 3, defaultSnat: 1, rules: 3, enterprises: ['Cobalt', 'Delta'], totalEnterprises: 3 },
  })
})

test('the filter of a list has neither page nor order', () => {
  const query = {
    startwith: 50,
    limit: 25,
    by: 'ip',
    asc: true,
    all: true,
    has: '10.0&1',
    network: undefined,
  }
  expect(filterText(query)).toBe('all=true&has=10.0%261')
})
