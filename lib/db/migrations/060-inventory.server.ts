import type { MigrationTypes } from '#lib/db/dialect.server'
import { movedRows } from '#lib/db/migrations/057-moved-rows.server'

const columns = {
  hidden: ['user_id'],
  open: 'virtual_appliance_id virtual_datacenter_id enterprise_id template_id name label state'.split(' '),
}

/**
 * Marks changes of the owner of a virtual machine alone, which do not concern every reader of the machine. The search finds virtual
 * appliances by the index.
 */
export const statements = ({ textIn }: MigrationTypes): string[] => [
  'create index virtual_appliances_names on virtual_appliances (name_key, id)',
  movedRows('virtual_machines', columns, (column, field) => `cast(${textIn(column, field)} as text)`),
]
