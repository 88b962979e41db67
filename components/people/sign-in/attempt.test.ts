import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { ApiFailure } from '#lib/client/api'
import { words } from '#lib/words/en/words'
import { asksForCode, emptyFields, refusalText, refusedField, stepAfter, waitAfter } from './attempt'

const english = { locale: 'en-US', messages: words }
const speech = {
  say: createTranslator({ ...english, namespace: 'signIn.refused' }),
  sayClock: createTranslator({ ...english, namespace: 'common.clock' }),
}

const refused = (code: string, details: { codeType?: string; clockOffset?: number } = {}) =>
  new ApiFailure({ status: 401, faults: [{ code, message: '' }], ...details })
const unreachable = new ApiFailure({ status: 0, faults: [{ code: 'NETWORK', message: '' }] })

test('each step asks for its own fields', () => {
  const fields = { nick: ' ', password: '', code: '' }
  expect(emptyFields(fields, 'password')).toEqual(['nick', 'password'])
  expect(emptyFields(fields, 'app-code')).toEqual(['code'])
  expect(emptyFields(fields, 'mailed-code')).toEqual(['code'])
  expect(emptyFields({ nick: 'ada', password: 'x', code: '' }, 'password')).toEqual([])
})

test('a password may consist of spaces', () => {
  expect(emptyFields({ nick: 'ada', password: '  ', code: '' }, 'password')).toEqual([])
})

test('a refusal belongs to a field', () => {
  expect(refusedField(refused('SIGN-IN-0'))).toBe('password')
  expect(refusedField(refused('SIGN-IN-2'))).toBe('code')
  expect(refusedField(refused('SIGN-IN-1'))).toBeUndefined()
  expect(refusedField(unreachable)).toBeUndefined()
})

test('the advice after a wrong code depends on its source', () => {
  const message = (details: Parameters<typeof refused>[1]) =>
    refusalText(speech, refused('SIGN-IN-2', details))
  expect(message({ codeType: 'APP_AUTHENTICATOR' })).toMatch(/Try the next one/)
  expect(message({ codeType: 'EMAIL' })).toMatch(/last mail/)
  expect(message({ codeType: 'APP_AUTHENTICATOR', clockOffset: -300 })).toBe(
    'The clock of your phone is about 5 minutes behind. Set it to automatic, then try the next code.',
  )
})

test('a correct password leads to the code', () => {
  expect(asksForCode(refused('SIGN-IN-1'))).toBe(true)
  expect(stepAfter(refused('SIGN-IN-1', { codeType: 'APP_AUTHENTICATOR' }), 'password')).toBe('app-code')
  expect(stepAfter(refused('SIGN-IN-1', { codeType: 'EMAIL' }), 'password')).toBe('mailed-code')
  expect(stepAfter(refused('SIGN-IN-2', { codeType: 'EMAIL' }), 'mailed-code')).toBe('mailed-code')
  expect(stepAfter(unreachable, 'app-code')).toBe('app-code')
})

test('a password that has changed is requested again', () => {
  expect(stepAfter(refused('SIGN-IN-0'), 'app-code')).toBe('password')
})

test('only too many attempts cause a wait', () => {
  const faults = [{ code: '429-TOO-MANY-REQUESTS', message: '' }]
  expect(waitAfter(new ApiFailure({ status: 429, faults, retryAfter: 30 }))).toBe(30)
  expect(waitAfter(new ApiFailure({ status: 401, faults, retryAfter: 30 }))).toBeUndefined()
  expect(waitAfter(unreachable)).toBeUndefined()
})
