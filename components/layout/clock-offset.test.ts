import { expect, test } from 'vitest'
import { clockHint } from './clock-offset'

test.each([
  [-300, 'about 5 minutes behind'],
  [300, 'about 5 minutes ahead'],
  [60, 'about 1 minute ahead'],
  [-90, 'about 2 minutes behind'],
  [3600, 'about 60 minutes ahead'],
])('%i seconds are %s', (offset, words) => {
  expect(clockHint(offset)).toContain(words)
})
