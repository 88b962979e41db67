import { expect, test } from 'vitest'
import { isUnencrypted, plainHttpRefusal } from '#lib/ground/net/loopback'

test.each([
  'https://cloud.example.com',
  'http://localhost:3000',
  'http://127.0.0.1:3000/api',
  'http://127.1',
  'http://[::1]:3000',
])('%s is encrypted, or on this machine', (url) => {
  expect([isUnencrypted(url), plainHttpRefusal(url)]).toEqual([false, undefined])
})

test.each([
  'http://cloud.example.com/api',
  'http://127.0.0.1.example.com',
  'http://localhost@cloud.example.com',
  'http://localhost.example.com',
  'http://10.0.0.1',
  'http://[::ffff:10.0.0.1]',
])('%s sends it in the clear', (url) => {
  expect(isUnencrypted(url)).toBe(true)
  expect(plainHttpRefusal(url)).toBe(
    `${new URL(url).origin} is not encrypted: others could read the credentials. Use https, or give --insecure.`,
  )
})
