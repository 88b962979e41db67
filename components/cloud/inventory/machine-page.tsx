import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Waiting } from '#components/base/forms/failure'
import { useInventoryIds } from '#components/base/forms/ids'
import { access } from '#components/base/screens/access'
import { paths } from '#components/base/screens/paths'
import { ScreenLink } from '#components/base/session/screen-link'
import { useMay } from '#components/base/session/session'
import { PublishButton } from '#components/cloud/publish/publish-button'
import { EventsOf } from '#components/events/events-of'
import { EditAndDelete } from '#components/frame/layout/edit-and-delete'
import { Facts } from '#components/frame/layout/facts'
import { Page } from '#components/frame/layout/page'
import { Stack } from '#components/kit/layout'
import { useNoteFacts } from '#components/table/notes'
import { TableTabs } from '#components/table/table-tabs'
import { machinePath, virtualMachineQuery } from '#lib/cloud/machines/machines.queries'
import { nameOfMachine, type VirtualMachineDocument } from '#lib/cloud/machines/machines.schema'
import { linkOf } from '#lib/ground/http/view'
import { MachineMark } from './machine-columns'
import { EditMachine } from './machine-form'
import { RulesOfMachine, UsesOfMachine } from './machine-tabs'
import { RemoveMachine } from './removals'

/** One virtual machine: the rules that lead to it, the addresses that it uses, and its events. */
export function Component() {
  const { center, appliance, machine: id } = useInventoryIds()
  const say = useTranslations('inventory')
  const read = useQuery(virtualMachineQuery(machinePath(center, appliance, id)))
  const machine = read.data?.document
  const nameOf = (rel: string) => machine && linkOf(machine, rel)?.title
  return (
    <Page
      title={machine ? nameOfMachine(machine) : say('machines.unknown', { id: String(id) })}
      breadcrumbs={[
        { text: say('centers.title'), href: paths.virtualDatacenters() },
        {
          text: nameOf('virtualdatacenter') ?? say('centers.unknown', { id: String(center) }),
          href: paths.virtualDatacenter(center),
        },
        {
          text: nameOf('virtualappliance') ?? say('appliances.unknown', { id: String(appliance) }),
          href: paths.virtualAppliance(center, appliance),
        },
      ]}
      actions={machine && <Actions center={center} appliance={appliance} machine={machine} />}
    >
      {machine ? (
        <Stack key={id} gap="s">
          <MachineFacts machine={machine} />
          <TableTabs
            label={say('machines.holds', { name: nameOfMachine(machine) })}
            tabs={[
              {
                id: 'exposed',
                label: say('machines.exposed'),
                content: <RulesOfMachine machine={machine} />,
              },
              { id: 'uses', label: say('machines.uses'), content: <UsesOfMachine machine={machine} /> },
              { id: 'events', content: <EventsOf entity="virtualmachine" entityid={id} /> },
            ]}
          />
        </Stack>
      ) : (
        <Waiting read={read} />
      )}
    </Page>
  )
}

type ActionsProps = { center: number; appliance: number; machine: VirtualMachineDocument }

function Actions({ machine, ...place }: ActionsProps) {
  const navigate = useNavigate()
  return (
    <EditAndDelete
      may={useMay(...access.manageMachines)}
      edit={(close) => <EditMachine {...place} id={machine.id} onClose={close} />}
      remove={(close) => (
        <RemoveMachine
          {...place}
          id={machine.id}
          onClose={close}
          onRemoved={() => void navigate(paths.virtualAppliance(place.center, place.appliance))}
        />
      )}
    >
      <PublishButton machine={machine} />
    </EditAndDelete>
  )
}

function MachineFacts({ machine }: { machine: VirtualMachineDocument }) {
  const say = useTranslations('inventory.machines')
  const label = useTranslations('labels')
  const { ofNotes } = useNoteFacts(paths.virtualMachines())
  const linked = (document: VirtualMachineDocument, rel: string) => (
    <ScreenLink link={linkOf(document, rel)} />
  )
  return (
    <Facts
      of={machine}
      name={nameOfMachine(machine)}
      line={(document) => [
        { label: label('state'), value: <MachineMark state={document.state} /> },
        { label: label('privateips'), value: nicsOf(document) },
        { label: label('user'), value: linked(document, 'user'), short: linkOf(document, 'user')?.title },
      ]}
      rest={(document) => [
        { label: label('name'), value: document.name },
        { label: label('virtualappliance'), value: linked(document, 'virtualappliance') },
        { label: label('virtualdatacenter'), value: linked(document, 'virtualdatacenter') },
        { label: label('datacenter'), value: linked(document, 'location') },
        { label: label('enterprise'), value: linked(document, 'enterprise') },
        { label: say('template'), value: linkOf(document, 'virtualmachinetemplate')?.title ?? '–' },
        ...ofNotes(document),
        { label: label('id'), value: document.id },
      ]}
    />
  )
}

const nicsOf = ({ links }: VirtualMachineDocument): string =>
  links.flatMap(({ rel, title }) => (/^nic\d+$/.test(rel) ? [title] : [])).join(', ') || '–'
