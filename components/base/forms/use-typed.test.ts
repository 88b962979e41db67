import { expect, test } from 'vitest'
import { addedOf } from './use-typed'

test('what is typed is the end of the list', () => {
  expect(addedOf(['scope.*', 'user.'], ['user.'])).toEqual({ isPending: true, added: ['scope.*'] })
  expect(addedOf(['scope.*'], [])).toEqual({ isPending: true, added: ['scope.*'] })
  expect(addedOf(['a', 'a'], ['a']).added).toEqual(['a'])
})

test('a list from elsewhere keeps all its members', () => {
  expect(addedOf(['user.*'], ['scope.'])).toEqual({ isPending: false, added: ['user.*'] })
  expect(addedOf([], ['scope.'])).toEqual({ isPending: false, added: [] })
})
