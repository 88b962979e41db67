import { createPortal } from 'react-dom'
import { useTranslations } from 'use-intl'
import { type ScratchCodeOwner, sinceWhen, whoseCodes } from './scratch-codes'
import styles from './two-factor.module.css'

/** The one thing that the printer sees while the scratch codes are on the screen. It hangs below the body, so that all else can be left out. */
export function ScratchCodesSheet({ owner, codes, day }: Props) {
  const say = useTranslations('account.scratchCodes')
  return createPortal(
    <section className={styles.sheet} aria-hidden>
      <h1>{say('title')}</h1>
      <p>
        {whoseCodes(say, owner)}
        <br />
        {sinceWhen(say, owner, day)}
      </p>
      <ol className={styles.code}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <p>{say('keepSheet')}</p>
    </section>,
    document.body,
  )
}

type Props = { owner: ScratchCodeOwner; codes: readonly string[]; day: string }
