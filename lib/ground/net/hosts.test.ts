import { expect, test } from 'vitest'
import { hostAddresses } from '#lib/ground/net/hosts'

test.each([
  ['postgres://one/db', ['postgres://one/db']],
  ['postgresql://u:p@one:5433/db?sslmode=require', ['postgresql://u:p@one:5433/db?sslmode=verify-full']],
  ['postgres://u:p@one:1,two:2/db', ['postgres://u:p@one:1/db', 'postgres://u:p@two:2/db']],
  ['postgres://one,two/db', ['postgres://one/db', 'postgres://two/db']],
  ['postgres://[::1]:1,[::1]:2/db', ['postgres://[::1]:1/db', 'postgres://[::1]:2/db']],
  ['postgres://u:a%40b%2Cc@one,two/db', ['postgres://u:a%40b%2Cc@one/db', 'postgres://u:a%40b%2Cc@two/db']],
  ['postgres://one,two/db?target_session_attrs=read-write', ['postgres://one/db', 'postgres://two/db']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=%2Frun%2Fpostgresql']],
])('%s gives the address of each host, in order', (address, hosts) => {
  expect(hostAddresses(address)).toEqual(hosts)
})

test.each([
  'mysql://one/db',
  'one:5432/db',
  'postgres://one,,two/db',
  'postgres://one,/db',
  'postgres://one:port/db',
  'postgres://one:1,two:99999/db',
  'postgres://u:secret%zz@one/db',
  'postgres://u:sec/ret@one/db',
  'postgres://u:sec#ret@one:1,two:2/db',
  'postgres://one,two/db?target_session_attrs=standby',
])('%s is refused, and the message shows no part of it', (address) => {
  expect(() => hostAddresses(address)).toThrow(/^(?!.*(secret|sec|one)).+$/)
})
