import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { Copy } from '#components/base/forms/copy'
import { Dialog } from '#components/base/forms/dialog'
import { Failure, Waiting } from '#components/base/forms/failure'
import { useAction } from '#components/base/forms/use-action'
import { access } from '#components/base/screens/access'
import { useMay } from '#components/base/session/session'
import { exampleHosts } from '#components/cloud/nat/reach'
import { Reached } from '#components/cloud/nat/reached'
import { endText } from '#components/cloud/nat/rule-ends'
import { PacketPath } from '#components/cloud/nat-check/packet-path'
import { Button } from '#components/kit/button'
import { Row, Stack } from '#components/kit/layout'
import { type Published, useUnpublish } from '#lib/cloud/machines/publish.queries'
import { natExplanationQuery } from '#lib/cloud/nat/check.queries'
import styles from './publish.module.css'
import type { Ready } from './publish-draft'

type PublishedProps = Published & { ready: Ready; name: string; onClose: () => void }

/** The public address of the port, with Undo. */
export function PublishedDialog({ rule, ip, isAttached, ready, name, onClose }: PublishedProps) {
  const say = useTranslations('publish')
  const common = useTranslations('common')
  const unpublishing = useUnpublish()
  const mayCheck = useMay(...access.natAddresses)
  const place = endText({ address: ip.ip, port: ready.publicPort, isNatIp: true })
  const undo = useAction(unpublishing, {
    done: () => say('undone', { place }),
    onDone: onClose,
  })
  return (
    <Dialog
      header={say('doneTitle', { machine: name })}
      size="large"
      onDismiss={onClose}
      actions={
        <>
          <Button
            look="quiet"
            busy={unpublishing.isPending}
            busyText={say('busy')}
            onPress={() => undo({ ...ready, rule, release: isAttached ? ip : undefined })}
          >
            {common('undo')}
          </Button>
          <Button look="main" onPress={onClose}>
            {common('close')}
          </Button>
        </>
      }
    >
      <Stack gap="l">
        <Row gap="m">
          <code className={styles.place}>{place}</code>
          <span>{ready.protocol}</span>
          <Copy text={place} label={say('copy', { place })} />
        </Row>
        {isAttached && <div className="quiet">{say('attached', { ip: ip.ip })}</div>}
        {!unpublishing.isPending && !unpublishing.isSuccess && <Reached rule={rule} />}
        {unpublishing.error && <Failure error={unpublishing.error} />}
        {mayCheck && <Check ready={ready} address={ip.ip} />}
      </Stack>
    </Dialog>
  )
}

/** The path of a packet from outside. */
function Check({ ready, address }: { ready: Ready; address: string }) {
  const packet = {
    from: address.includes(':') ? exampleHosts.v6 : exampleHosts.v4,
    to: address,
    protocol: ready.protocol,
    port: ready.publicPort,
  }
  const read = useQuery(natExplanationQuery(ready.datacenter, packet))
  if (!read.data) return <Waiting read={read} />
  return <PacketPath datacenter={ready.datacenter} packet={packet} explanation={read.data} />
}
