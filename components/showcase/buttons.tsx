import { useState } from 'react'
import { Button, type ButtonProps, LinkButton } from '#components/kit/button'
import { icons } from '#components/kit/icons'
import { MenuButton, type MenuEntry } from '#components/kit/menu'
import { screenIcons } from '#components/kit/screen-icons'
import { Tabs } from '#components/kit/tabs'
import { toast } from '#components/kit/toast'
import { Tool } from '#components/kit/tool'
import { Sample } from './sample'

const looks: readonly NonNullable<ButtonProps['look']>[] = ['main', 'plain', 'quiet', 'danger']

const done = (text: string) => () => toast({ text })

const entries: readonly { title: string; entries: readonly MenuEntry[] }[] = [
  {
    title: 'Address',
    entries: [
      { id: 'attach', text: 'Attach', icon: screenIcons.plus, run: done('Attached') },
      { id: 'copy', text: 'Copy', icon: icons.copy, run: done('Copied') },
      {
        id: 'release',
        text: 'Release',
        icon: screenIcons.close,
        refused: 'No enterprise holds the address.',
        run: () => undefined,
      },
    ],
  },
  { title: 'Network', entries: [{ id: 'delete', text: 'Delete', isDanger: true, run: done('Deleted') }] },
]

export const Buttons = () => (
  <>
    {looks.map((look) => (
      <Sample key={look} title={look}>
        <Button look={look}>At rest</Button>
        <Button look={look} icon={screenIcons.plus}>
          With an icon
        </Button>
        <Button look={look} busy>
          Busy
        </Button>
        <Button look={look} refused="No network has free addresses.">
          Refused
        </Button>
        <Button look={look} icon={screenIcons.more} label={`More of ${look}`} />
      </Sample>
    ))}
    <Sample title="Link">
      <LinkButton href="#list">Go to the list</LinkButton>
      <LinkButton href="#list" look="quiet" icon={screenIcons.after}>
        Next
      </LinkButton>
    </Sample>
    <Sample title="Tool">
      <Tool icon={screenIcons.download} label="Download as CSV" />
      <Tool look="quiet" icon={screenIcons.help} label="Help" />
      <Tool refused="You may not change this network.">Why not</Tool>
    </Sample>
    <Sample title="Menu">
      <MenuButton label="Actions" entries={entries}>
        <Button icon={screenIcons.down}>Actions</Button>
      </MenuButton>
    </Sample>
    <Sample title="Tabs" as="stack">
      <PartsOfNetwork />
    </Sample>
  </>
)

function PartsOfNetwork() {
  const [open, setOpen] = useState('ips')
  return (
    <Tabs
      label="Madrid public"
      value={open}
      onChange={setOpen}
      tabs={[
        { id: 'ips', text: 'IPs', href: '#ips' },
        { id: 'rules', text: 'Rules', href: '#rules' },
        {
          id: 'devices',
          text: 'Devices',
          href: '#devices',
          refused: 'Your role lacks PHYS_DC_RETRIEVE_DETAILS.',
        },
      ]}
      actions={<Tool look="quiet" icon={screenIcons.download} label="Download as CSV" />}
    >
      <p>{open === 'ips' ? '254 addresses' : '12 rules'}</p>
    </Tabs>
  )
}
