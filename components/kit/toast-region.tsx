import type { ReactNode } from 'react'
import { Button as Pressable } from 'react-aria-components/Button'
import {
  UNSTABLE_ToastContent as Content,
  UNSTABLE_ToastRegion as Region,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastQueue as ToastQueue,
} from 'react-aria-components/Toast'
import { screenIcons } from './screen-icons'
import styles from './toast.module.css'

export type Message = {
  /** A failure and a warning stay; the others leave. */
  kind?: 'good' | 'info' | 'warn' | 'bad'
  title?: ReactNode
  text: ReactNode
  /** Buttons and links: undo, open. */
  actions?: ReactNode
}

export type ToastTexts = { label: string; closeLabel: string }

const queue = new ToastQueue<Message>({ maxVisibleToasts: 1 })

const stays = ({ kind }: Message) => kind === 'warn' || kind === 'bad'

/** What was done, at the bottom left for 6 seconds; the pointer or the focus on it stops the clock. */
export const show = (message: Message): void => {
  queue.clear()
  queue.add(message, stays(message) ? {} : { timeout: 6000 })
}

/** Another screen opens: its user has seen what failed before. */
export const closeStaying = (): void => {
  for (const { key, content } of queue.visibleToasts) if (stays(content)) queue.close(key)
}

type Shown = (typeof queue.visibleToasts)[number]

/** An action that opens a dialog needs its toast: it stays until the user closes it. */
function hold(shown: Shown): void {
  shown.timer?.pause()
  delete shown.timer
}

export const ToastRegion = ({ label, closeLabel }: ToastTexts) => (
  <Region queue={queue} aria-label={label} className={`kit ${styles.region}`}>
    {({ toast: shown }) => (
      <Toast toast={shown} className={`${styles.toast} ${styles[shown.content.kind ?? 'good']}`}>
        <Content className={styles.text ?? ''}>
          {shown.content.title && <strong>{shown.content.title}</strong>}
          <div slot="title">{shown.content.text}</div>
        </Content>
        {shown.content.actions && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are the ones to use.
          // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button clicks it.
          <div className={styles.actions} onClick={() => hold(shown)}>
            {shown.content.actions}
          </div>
        )}
        <Pressable slot="close" aria-label={closeLabel} className={styles.close ?? ''}>
          {screenIcons.close}
        </Pressable>
      </Toast>
    )}
  </Region>
)
