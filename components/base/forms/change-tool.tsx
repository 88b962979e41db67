import { useViewRefusal } from '#components/base/screens/see-as'
import type { ButtonProps } from '#components/kit/button'
import { Tool } from '#components/kit/tool'

/** The button that makes a change. It is refused while the screens show what another user sees. */
export function ChangeTool({ refused, ...props }: ButtonProps) {
  const inView = useViewRefusal()
  return <Tool {...props} refused={inView ?? refused} />
}
