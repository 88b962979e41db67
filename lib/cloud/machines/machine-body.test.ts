import { expect, test } from 'vitest'
import { noNotes } from '#lib/caller/kinds/notes.schema'
import { machineBody } from '#lib/cloud/machines/machines.queries'
import type { VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'

const center = '/api/cloud/virtualdatacenters/1'

const document: VirtualMachineDocument = {
  id: 3,
  name: 'web-1',
  label: 'Web',
  state: 'ON',
  natrules: [],
  description: 'before',
  tags: ['a'],
  links: [
    { rel: 'edit', href: `${center}/virtualappliances/2/virtualmachines/3` },
    { rel: 'user', href: '/api/admin/enterprises/1/users/7' },
    { rel: 'virtualmachinetemplate', href: '/template/1' },
    { rel: 'nic1', href: `${center}/privateips/5` },
  ],
}

test('the form of a machine sends its owner, template and private IPs, and the other links as they are', () => {
  const { links, ...rest } = machineBody(document, {
    name: 'web-2',
    label: '',
    state: 'OFF',
    ...noNotes,
    user: { id: '/api/admin/enterprises/1/users/8', name: 'ana' },
    virtualmachinetemplate: undefined,
    privateips: [
      { id: `${center}/privateips/5`, name: '10.0.0.5' },
      { id: `${center}/privateips/6`, name: '10.0.0.6' },
    ],
  })
  expect(rest).toEqual({ id: 3, name: 'web-2', label: '', state: 'OFF', natrules: [], ...noNotes })
  expect(links).toEqual([
    document.links[0],
    { rel: 'user', href: '/api/admin/enterprises/1/users/8' },
    { rel: 'nic1', href: `${center}/privateips/5` },
    { rel: 'nic', href: `${center}/privateips/6` },
  ])
})
