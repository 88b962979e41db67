import { createFormatter } from 'use-intl/core'
import { expect, test } from 'vitest'
import { lengthOf } from './facts'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [1800, '30 minutes'],
  [5400, '1 hour, 30 minutes'],
  [43_200, '12 hours'],
  [90_061, '1 day, 1 hour, 1 minute, 1 second'],
])('%i seconds are %s', (seconds, text) => {
  expect(lengthOf(createFormatter({ locale: 'en-US' }), seconds)).toBe(text)
})

test('a length is written in the language of the reader', () => {
  expect(lengthOf(createFormatter({ locale: 'es-ES' }), 5400)).toBe('1 hora y 30 minutos')
})
