import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { words } from '#lib/words/en/words'
import { clockHint } from './verification-code'

const say = createTranslator({ locale: 'en-US', messages: words, namespace: 'common.clock' })

test.each([
  [-300, 'about 5 minutes behind'],
  [300, 'about 5 minutes ahead'],
  [60, 'about 1 minute ahead'],
  [-90, 'about 2 minutes behind'],
  [3600, 'about 60 minutes ahead'],
])('%i seconds are %s', (offset, told) => {
  expect(clockHint(say, offset)).toContain(told)
})
