/** Indexes for all machines in the order of their names, and for the machines of one label. */
export const statements = (): string[] => [
  'create index virtual_machines_names on virtual_machines (name_key, id)',
  'create index virtual_machines_labels on virtual_machines (label, name_key, id)',
]
