import { Button as Pressable } from 'react-aria-components/Button'
import {
  UNSTABLE_ToastContent as Content,
  UNSTABLE_ToastRegion as Region,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastQueue as ToastQueue,
} from 'react-aria-components/Toast'
import { Button } from './button'
import { screenIcons } from './screen-icons'
import styles from './toast.module.css'

type Message = { text: string; isFailure?: boolean; action?: { text: string; run: () => void } }

const queue = new ToastQueue<Message>({ maxVisibleToasts: 1 })

/** What was done, at the bottom left for 6 seconds; the pointer or the focus on it stops the clock. A failure stays. */
export const toast = (message: Message): void => {
  queue.clear()
  queue.add(message, message.isFailure ? {} : { timeout: 6000 })
}

export const Toasts = ({ label, closeLabel }: { label: string; closeLabel: string }) => (
  <Region queue={queue} aria-label={label} className={`kit ${styles.region}`}>
    {({ toast: shown }) => (
      <Toast toast={shown} className={`${styles.toast} ${shown.content.isFailure ? styles.failure : ''}`}>
        <Content className={styles.text}>
          <span slot="title">{shown.content.text}</span>
        </Content>
        {shown.content.action && (
          <Button
            look="quiet"
            onPress={() => {
              shown.content.action?.run()
              queue.close(shown.key)
            }}
          >
            {shown.content.action.text}
          </Button>
        )}
        <Pressable slot="close" aria-label={closeLabel} className={styles.close ?? ''}>
          {screenIcons.close}
        </Pressable>
      </Toast>
    )}
  </Region>
)
