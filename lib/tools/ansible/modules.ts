import { z } from 'zod'
import { identityOf } from '#lib/state/plans/items'
import { type ExportEntity, exportEntities, wantedItems } from '#lib/state/plans/plans.schema'

/* The Ansible modules of deploy/ansible, one for each list of a plan, made from what a plan takes. */

/** Their names and what they are about. */
const modules: Record<ExportEntity, { name: string; about: string; example: Record<string, unknown> }> = {
  enterprises: { name: 'enterprise', about: 'an enterprise', example: { name: 'Acme', scope: 'Iberia' } },
  scopes: {
    name: 'scope',
    about: 'a scope',
    example: { name: 'Iberia', parent: 'Europe', enterprises: ['Acme'] },
  },
  roles: { name: 'role', about: 'a role', example: { name: 'Auditor', privileges: ['USERS_VIEW'] } },
  users: { name: 'user', about: 'a user', example: { nick: 'ada', enterprise: 'Acme', role: 'Auditor' } },
  natnetworks: {
    name: 'nat_network',
    about: 'a NAT network',
    example: { datacenter: 'Madrid', name: 'Public', cidr: '203.0.113.0/24', device: 'edge-1' },
  },
  natips: {
    name: 'nat_ip',
    about: 'a NAT IP',
    example: { datacenter: 'Madrid', network: 'Public', ip: '203.0.113.7', virtualDatacenter: 'Shop' },
  },
  natrules: {
    name: 'nat_rule',
    about: 'a NAT rule',
    example: {
      datacenter: 'Madrid',
      type: 'DNAT',
      protocol: 'TCP',
      original: '203.0.113.7',
      originalPort: 443,
      translated: '192.168.1.10',
      translatedPort: 8443,
    },
  },
}

/** What a member is, where its schema does not say it. */
const meanings: Record<string, string> = {
  active: 'Whether the user can sign in',
  allowedCIDRs: 'The ranges of addresses from which the user may sign in. Empty, from anywhere',
  authType: 'How a new user signs in. It cannot change',
  automaticAddDatacenter: 'Whether the scope has every datacenter',
  automaticAddEnterprise: 'Whether the scope has every enterprise',
  available: 'Whether the IP can be attached',
  cidr: 'The range of the network',
  datacenter: 'The name of its datacenter',
  datacenters: 'The names of its datacenters',
  defaultSnat: 'Whether it is the default source address of its virtual datacenter',
  description: 'What it is for. Line breaks are kept',
  device: 'The name of the device that carries the network',
  email: 'The address for mails',
  enabled: 'Whether the gateway carries the rule',
  enterprise: 'The name of its enterprise',
  enterprises: 'The names of its enterprises',
  locale: 'The language, such as C(es_ES)',
  locked: 'Whether too many wrong passwords locked the user',
  name: 'The name',
  network: 'The name of its NAT network',
  nick: 'The name by which the user signs in',
  original: 'The address before the translation',
  originalPort: 'The port before the translation, or the first one of a range',
  parent: 'The name of the scope above. Empty, none',
  privileges: 'The names of its privileges',
  protocol: 'The protocol',
  quarantine: 'Whether the IP rests before it can be attached',
  role: 'The name of the role',
  scope: 'The name of the scope. Empty, none',
  surname: 'The family name',
  tags: 'Its tags, in their order',
  translated: 'The address after the translation',
  translatedPort: 'The port after the translation',
  twoFactorAuthenticationMandatory: 'Whether its users must use two factor authentication',
  type: 'Whether the rule translates sources (SNAT) or destinations (DNAT)',
  virtualDatacenter: 'The name of the virtual datacenter that holds the IP. Empty, none',
  virtualMachine: 'The name of the virtual machine',
}

type Member = { type?: string; enum?: string[]; description?: string; items?: object }

const snake = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replace('CIDRs', 'cidrs')
    .toLowerCase()

const types: Record<string, string> = { boolean: 'bool', integer: 'int', array: 'list', string: 'str' }

type Option = { name: string; member: string; spec: string[]; documentation: string[] }

/** A text of YAML, in lines that fit. */
const folded = (text: string): string[] => [
  '    description: >-',
  ...(text.match(/.{1,120}(?: |$)/g) ?? []).map((line) => `      ${line.trimEnd()}`),
]

function optionOf(member: string, schema: Member, isRequired: boolean): Option {
  const type = types[schema.type ?? 'string'] ?? 'str'
  const choices = schema.enum ?? []
  const meaning = meanings[member] ?? schema.description
  if (!meaning) throw new Error(`${member} has no meaning in lib/tools/ansible/modules.ts`)
  const isSecret = member === 'password'
  return {
    name: snake(member),
    member,
    spec: [
      `type='${type}'`,
      ...(type === 'list' ? ["elements='str'"] : []),
      ...(choices.length > 0 ? [`choices=[${choices.map((each) => `'${each}'`).join(', ')}]`] : []),
      ...(isRequired ? ['required=True'] : []),
      ...(isSecret ? ['no_log=True'] : []),
    ],
    documentation: [
      `  ${snake(member)}:`,
      ...folded(`${meaning.replace(/\.$/, '')}.${isSecret ? ' It counts when the user is created.' : ''}`),
      `    type: ${type}`,
      ...(type === 'list' ? ['    elements: str'] : []),
      ...(choices.length > 0 ? [`    choices: [${choices.join(', ')}]`] : []),
      ...(isRequired ? ['    required: true'] : []),
    ],
  }
}

function optionsOf(entity: ExportEntity): Option[] {
  const { properties = {}, required = [] } = z.toJSONSchema(wantedItems[entity], {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, Member>; required?: string[] }
  return Object.entries(properties)
    .filter(([member]) => member !== 'absent')
    .map(([member, schema]) => optionOf(member, schema, required.includes(member)))
}

const yaml = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value))

const header = `#!/usr/bin/python
# Copyright (c) Cloud Console
# GNU General Public License v3.0+ (see https://www.gnu.org/licenses/gpl-3.0.txt)

# Made by "npm run ansible" from the description of the API. Do not change it by hand.

from __future__ import absolute_import, division, print_function

__metaclass__ = type
`

function moduleOf(entity: ExportEntity): string {
  const { name, about, example } = modules[entity]
  const options = optionsOf(entity)
  const isKey = ({ member, spec }: Option): boolean =>
    identityOf(entity).includes(member) ||
    spec.includes('required=True') ||
    member === 'protocol' ||
    member === 'originalPort'
  const keys = options.filter(isKey).map(({ member }) => member)
  const members = Object.entries(example).map(([member, value]) => `    ${snake(member)}: ${yaml(value)}`)
  const own = Object.entries(example)
    .filter(([member]) => keys.includes(member))
    .map(([member, value]) => `    ${snake(member)}: ${yaml(value)}`)
  return `${header}
DOCUMENTATION = r'''
module: ${name}
short_description: Create, change or delete ${about}
version_added: 1.0.0
description:
  - Makes ${about} as the options say. What no option names stays as it is.
  - Several things are faster and safer in one document, by the module M(cloud.console.plan).
author: Cloud Console (@cloud-console)
options:
${options.flatMap(({ documentation }) => documentation).join('\n')}
  state:
    description: With C(absent) it is deleted, and only the options count that say which one it is.
    type: str
    choices: [present, absent]
    default: present
extends_documentation_fragment:
  - cloud.console.connection
  - cloud.console.connection.planned
'''

EXAMPLES = r'''
- name: It is there
  cloud.console.${name}:
${members.join('\n')}

- name: It is not there
  cloud.console.${name}:
${own.join('\n')}
    state: absent
'''

RETURN = r'''
operations:
  description: What was or would be created, changed or deleted. Empty if it is as it should be.
  returned: success
  type: list
  elements: dict
event:
  description: The address of the event, by which the change can be undone.
  returned: changed
  type: str
refusals:
  description: The rules that refuse the change.
  returned: failure
  type: list
  elements: dict
'''

from ansible_collections.cloud.console.plugins.module_utils.planning import run_for

OPTIONS = {
${options.map(({ name: option, member, spec }) => `    '${option}': ('${member}', dict(${spec.join(', ')})),`).join('\n')}
}


def main():
    run_for('${entity}', OPTIONS)


if __name__ == '__main__':
    main()
`
}

/** The files of the modules by their names. */
export const ansibleModules = (): Map<string, string> =>
  new Map(exportEntities.map((entity) => [`${modules[entity].name}.py`, moduleOf(entity)]))
