import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import { useFollow } from '#components/layout/app-link'
import { LeaveGuard } from '#components/layout/leave-guard'
import { paths } from '#components/paths'

const always = () => true

/** While an enrolment is not proved, leaving it asks first. */
export const EnrolmentGuard = ({ isKept }: { isKept: boolean }) => (
  <LeaveGuard loses={always} header="Leave before you have tried a code?">
    <Box variant="p">
      <strong>Two factor authentication is on already.</strong> Your next sign-in asks for a code of your app
      or for a scratch code. Without either you cannot sign in.
    </Box>
    <Box variant="p">
      {isKept
        ? 'You said that you have kept the scratch codes. Whether your app gives the right codes is not known yet.'
        : 'You have not kept the scratch codes yet, and neither they nor the key can be shown again.'}
    </Box>
  </LeaveGuard>
)

/** Goes back to the account, past the question above. */
export function LeaveButton() {
  const follow = useFollow()
  return (
    <Button variant="link" href={paths.account()} onFollow={follow}>
      Leave
    </Button>
  )
}
