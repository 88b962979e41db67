import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ansibleModules } from '#lib/tools/ansible/modules'

/* `npm run ansible` writes the modules of the Ansible collection that are made from the description of the API. */

for (const [name, text] of ansibleModules()) writeFileSync(join('deploy/ansible/plugins/modules', name), text)
