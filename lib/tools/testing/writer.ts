import { writeSync } from 'node:fs'
import { call, expectStatus, unique } from '#lib/tools/testing/client'

/* A process that brings its database up and creates datacenters until it is killed. It prints the id of each at once when it is acknowledged. */

for (;;) {
  const body = { name: unique('Written'), location: '' }
  const { id } = await expectStatus(201, call('POST', '/api/admin/datacenters', { body }))
  writeSync(1, `${id}\n`)
}
