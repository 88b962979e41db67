import { createPortal } from 'react-dom'
import { originLines, type ScratchCodeOwner } from './scratch-codes'
import styles from './two-factor.module.css'

/** The one thing that the printer sees while the scratch codes are on the screen. It hangs below the body, so that all else can be left out. */
export function ScratchCodesSheet({ owner, codes, day }: Props) {
  const [whose, since] = originLines(owner, day)
  return createPortal(
    <section className={styles.sheet} aria-hidden>
      <h1>Scratch codes</h1>
      <p>
        {whose}
        <br />
        {since}
      </p>
      <ol className={styles.code}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p>
        Each code works once, in place of the usual verification code. Keep this page where nobody else can
        read it.
      </p>
    </section>,
    document.body,
  )
}

type Props = { owner: ScratchCodeOwner; codes: readonly string[]; day: string }
