import Button from '@cloudscape-design/components/button'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslations } from 'use-intl'
import { Dialog } from '#components/forms/dialog'
import { isMac } from './hear-keys'
import { type KeySection, type KeyUse, keySections } from './keys'
import styles from './keys.module.css'
import { useQuestionKey } from './use-question-key'

/** Every key of the console, and whether `?` leads here. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const say = useTranslations('palette.keys')
  const close = useTranslations('common')('close')
  const [hasQuestionKey, chooseQuestionKey] = useQuestionKey()
  return (
    <Dialog
      header={say('title')}
      size="large"
      onDismiss={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {close}
        </Button>
      }
    >
      <div className={styles.sections}>
        {keySections(say, { modifier: isMac() ? '⌘' : say('names.control') }).map((section) => (
          <Keys key={section.title} section={section} />
        ))}
      </div>
      <Toggle
        checked={hasQuestionKey}
        description={say('questionWhy')}
        onChange={({ detail }) => chooseQuestionKey(detail.checked)}
      >
        {say('question')}
      </Toggle>
    </Dialog>
  )
}

const Keys = ({ section: { title, uses } }: { section: KeySection }) => (
  <table>
    <caption>{title}</caption>
    <tbody>
      {uses.map((use) => (
        <tr key={use.does}>
          <th scope="row">
            <span className={styles.combinations}>
              <Combinations use={use} />
            </span>
          </th>
          <td>{use.does}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Combinations = ({ use }: { use: KeyUse }) =>
  use.keys.map((keys) => (
    <span key={keys.join(' ')} className={styles.combination}>
      {keys.map((key) => (
        <span key={key}>
          <kbd className={styles.key}>{key}</kbd>{' '}
        </span>
      ))}
    </span>
  ))
