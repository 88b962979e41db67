import { createPortal } from 'react-dom'
import type { ScratchCodeOwner } from './scratch-codes'
import styles from './two-factor.module.css'

/** The one thing that the printer sees while the scratch codes are on the screen. It hangs below the body, so that all else can be left out. */
export const ScratchCodesSheet = ({ owner, codes, day }: Props) =>
  createPortal(
    <section className={styles.sheet} aria-hidden>
      <h1>Scratch codes</h1>
      <p>
        {owner.account} at {owner.issuer || owner.host}
        <br />
        {owner.host}, {day}
      </p>
      <ul className={styles.code}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p>
        Each code works once, in place of the code of the authenticator app. Keep this page where nobody else
        can read it.
      </p>
    </section>,
    document.body,
  )

type Props = { owner: ScratchCodeOwner; codes: readonly string[]; day: string }
