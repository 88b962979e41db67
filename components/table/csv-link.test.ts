import { expect, test } from 'vitest'
import { csvHref } from './csv-link'

test('the whole list as it is filtered and ordered, not the page', () => {
  const query = { startwith: 50, limit: 25, by: 'ip', asc: undefined, has: '10.0&', all: 'true' }
  expect(csvHref('/api/x', query, { network: 7 })).toBe(
    '/api/x?limit=0&by=ip&has=10.0%26&all=true&network=7&format=csv',
  )
})
