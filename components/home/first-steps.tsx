import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LoadingDialog } from '#components/base/forms/resource-form'
import { AppButton } from '#components/base/screens/app-link'
import { paths } from '#components/base/screens/paths'
import { useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { deferredOver } from '#components/kit/deferred-over'
import { Card } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { Status } from '#components/kit/status'
import { Tool } from '#components/kit/tool'
import { devicesQuery } from '#lib/cloud/infrastructure/devices.queries'
import { natNetworksQuery } from '#lib/cloud/nat/networks.queries'
import { linkOf, type Named } from '#lib/ground/http/view'
import styles from './first-steps.module.css'
import { type FirstStep, useFirstSteps, useFirstStepsChoice, useMayBegin } from './use-first-steps'

const DatacenterForm = deferredOver(
  async () => (await import('#components/cloud/devices/datacenter-form')).DatacenterForm,
)
const DeviceForm = deferredOver(
  async () => (await import('#components/cloud/devices/device-form')).DeviceForm,
)
const NewNetwork = deferredOver(
  async () => (await import('#components/cloud/nat/network-form-page')).NewNetworkDialog,
)
const NewScope = deferredOver(async () => (await import('#components/base/in-place/named-dialogs')).NewScope)
const StartGateway = deferredOver(
  async () => (await import('#components/cloud/devices/start-gateway-dialog')).StartGatewayDialog,
)
const PublishPort = deferredOver(
  async () => (await import('#components/cloud/publish/publish-dialog')).PublishDialog,
)
const ImportDialog = deferredOver(async () => (await import('#components/import/import-dialog')).ImportDialog)
const AddIps = deferredOver(async () => (await import('#components/cloud/nat/add-ips')).AddIps)

/** The way from an empty installation to the first NAT IPs and colleagues. Asks nothing once the user has closed it. */
export function FirstSteps() {
  const [kept] = useFirstStepsChoice()
  return useMayBegin() && kept !== 'closed' ? <Steps /> : null
}

const dialogs = ['datacenter', 'device', 'network', 'ips', 'gateway', 'rule', 'scope'] as const
type OpenDialog = (typeof dialogs)[number]

function Steps() {
  const say = useTranslations('home.firstSteps')
  const read = useFirstSteps()
  const known = read === 'asking' ? undefined : read
  const [open, setOpen] = useState<{ dialog: OpenDialog; over: typeof known }>()
  // What a step makes is not read yet for a moment: the card stays, with the dialog in it.
  const state = known ?? open?.over
  // What follows is not seen until its place is known, so that nothing moves.
  if (!state) return read === 'asking' ? <span hidden className={styles.asking} /> : null
  const { steps, done, next, place, close } = state
  const isReady = (step: FirstStep) =>
    ({
      device: done.datacenter,
      network: done.device,
      ips: done.network,
      gateway: done.device,
      rule: done.ips,
    })[step as string] ?? true
  return (
    <Card
      title={say('title')}
      counter={`(${steps.filter((step) => done[step]).length}/${steps.length})`}
      about={say(next ? 'about' : 'allDone')}
      actions={<Tool look="quiet" icon={screenIcons.close} label={say('dismiss')} onPress={close} />}
    >
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={done[step] ? styles.done : undefined}
            aria-current={step === next && 'step'}
          >
            {done[step] ? (
              <Status kind="good" signLabel={say('done')}>
                {''}
              </Status>
            ) : (
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
            )}
            <div>
              <strong>{say(`steps.${step}.title`)}</strong>
              {!done[step] && <div className={styles.why}>{say(`steps.${step}.why`)}</div>}
            </div>
            {!done[step] && isReady(step) && (
              <StepButton
                step={step}
                isNext={step === next}
                onOpen={(dialog) => setOpen({ dialog, over: state })}
              />
            )}
          </li>
        ))}
      </ol>
      <StepDialog open={open?.dialog} place={place} onClose={() => setOpen(undefined)} />
    </Card>
  )
}

type StepButtonProps = {
  step: FirstStep
  isNext: boolean
  onOpen: (dialog: OpenDialog) => void
}

function StepButton({ step, isNext, onOpen }: StepButtonProps) {
  const say = useTranslations('home.firstSteps')
  const look = isNext ? 'main' : 'plain'
  const text = say(`steps.${step}.action`)
  const dialog = dialogs.find((known) => known === step)
  if (dialog)
    return (
      <Button look={look} onPress={() => onOpen(dialog)}>
        {text}
      </Button>
    )
  const screens: Partial<Record<FirstStep, string>> = {
    colleague: paths.newUser(),
    twoFactor: paths.twoFactor(),
  }
  return (
    <AppButton look={look} to={screens[step] ?? paths.home()}>
      {text}
    </AppButton>
  )
}

type StepDialogProps = { open: OpenDialog | undefined; place: Named | undefined; onClose: () => void }

function StepDialog({ open, place, onClose }: StepDialogProps): ReactNode {
  const { enterprise } = useSession()
  const datacenter = place?.id ?? 0
  if (open === 'datacenter') return <DatacenterForm onClose={onClose} />
  if (open === 'device') return <DeviceForm datacenter={datacenter} needsNat onClose={onClose} />
  if (open === 'network') return <FirstNetwork datacenter={datacenter} onClose={onClose} />
  if (open === 'gateway') return <StartGateway datacenter={datacenter} onClose={onClose} />
  if (open === 'scope')
    return <NewScope enterprise={enterprise} datacenter={place} name={enterprise.name} onClose={onClose} />
  if (open === 'rule') return <PublishPort datacenter={datacenter} onClose={onClose} />
  return open && <FirstIps datacenter={datacenter} onClose={onClose} />
}

type InPlaceProps = { datacenter: number; onClose: () => void }

/** Begins with the device of the step before. */
function FirstNetwork({ datacenter, onClose }: InPlaceProps) {
  const devices = useQuery(devicesQuery(datacenter, { limit: 1, by: 'id', nat: true }))
  const device = devices.data?.collection[0]
  const href = device && linkOf(device, 'edit')?.href
  const say = useTranslations('home.firstSteps')
  const [isImport, setImport] = useState(false)
  const place = device && linkOf(device, 'location')?.title
  if (isImport && device && place !== undefined)
    return (
      <ImportDialog
        entity="natnetworks"
        same={{ datacenter: { id: datacenter, name: place }, device: device.name }}
        onClose={onClose}
      />
    )
  if (!devices.data)
    return <LoadingDialog header={say('steps.network.action')} read={devices} onClose={onClose} />
  return (
    <NewNetwork
      datacenter={datacenter}
      device={device && href ? { href, name: device.name } : undefined}
      onImport={() => setImport(true)}
      onClose={onClose}
    />
  )
}

/** Adds IPs to the first network of the datacenter. */
function FirstIps({ datacenter, onClose }: InPlaceProps) {
  const networks = useQuery(natNetworksQuery(datacenter, { limit: 1, by: 'id' }))
  const say = useTranslations('home.firstSteps')
  return networks.data ? (
    <AddIps datacenter={datacenter} network={networks.data.collection[0]} first="" onClose={onClose} />
  ) : (
    <LoadingDialog header={say('steps.ips.action')} read={networks} onClose={onClose} />
  )
}
