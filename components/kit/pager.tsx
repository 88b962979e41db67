import { icons } from './icons'
import styles from './pager.module.css'
import { screenIcons } from './screen-icons'
import { Tool } from './tool'

type PagerProps = {
  label: string
  position: string
  before: { label: string; go?: (() => void) | undefined }
  after: { label: string; go?: (() => void) | undefined }
  /** The user is near the buttons, and likely to turn the page. */
  onNear?: () => void
}

/** Where the page is in the list, and its neighbours. */
export const Pager = ({ label, position, before, after, onNear }: PagerProps) => (
  <nav aria-label={label} className={styles.pager} onPointerEnter={onNear} onFocus={onNear}>
    <Tool
      look="quiet"
      icon={icons.before}
      label={before.label}
      refused={before.go ? undefined : before.label}
      onPress={before.go}
    />
    <span>{position}</span>
    <Tool
      look="quiet"
      icon={screenIcons.after}
      label={after.label}
      refused={after.go ? undefined : after.label}
      onPress={after.go}
    />
  </nav>
)
