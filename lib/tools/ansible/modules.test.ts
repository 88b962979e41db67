import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ansibleModules } from '#lib/tools/ansible/modules'

test('the modules of the Ansible collection are those of the description: npm run ansible', () => {
  const folder = 'deploy/ansible/plugins/modules'
  for (const [name, text] of ansibleModules())
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(text)
})
