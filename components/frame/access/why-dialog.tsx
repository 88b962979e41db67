import { useTranslations } from 'use-intl'
import { Dialog } from '#components/base/forms/dialog'
import type { WhyQuestion } from '#components/base/forms/why'
import { access } from '#components/base/screens/access'
import { useMay, useSession } from '#components/base/session/session'
import { Button } from '#components/kit/button'
import { Explained } from './explained'
import { PrivilegeNames } from './privilege-names'
import { WhoMay } from './who-may'

type WhyDialogProps = { question: WhyQuestion; onClose: () => void }

/** The reason why the user may not do something, and the users who may. Without USERS_VIEW it shows only the console's own knowledge. */
export function WhyDialog({ question: { needs = [], call }, onClose }: WhyDialogProps) {
  const say = useTranslations('access')
  const common = useTranslations('common')
  const { id, role } = useSession()
  const mayAsk = useMay(...access.askAccess)
  return (
    <Dialog
      header={say('title')}
      size={mayAsk && call ? 'large' : 'medium'}
      onDismiss={onClose}
      actions={
        <Button look="main" onPress={onClose}>
          {common('close')}
        </Button>
      }
    >
      {mayAsk && call ? (
        <Explained user={id} call={call} />
      ) : (
        <div>
          {say(needs.length > 0 ? 'lacks' : 'refused', { role: role.name, count: needs.length })}
          <PrivilegeNames names={needs} />
        </div>
      )}
      {mayAsk && call ? <WhoMay call={call} /> : <p>{say('ask')}</p>}
    </Dialog>
  )
}
