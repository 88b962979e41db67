import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'

/** There is nothing to set up; whoever reloaded in the middle learns the way on. */
export function AlreadyOn() {
  const follow = useFollow()
  return (
    <Alert
      type="info"
      header="Two factor authentication is on already"
      action={
        <Button href={paths.account()} onFollow={follow}>
          Go to my account
        </Button>
      }
      i18nStrings={{ infoIconAriaLabel: 'Information' }}
    >
      The key and the scratch codes were shown once and cannot be shown again. If your app gives no codes yet,
      turn two factor authentication off with one of your scratch codes and set it up anew. Without scratch
      codes, ask an administrator for help before you sign out.
    </Alert>
  )
}
