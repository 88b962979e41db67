import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useFormatter, useTranslations } from 'use-intl'
import { SecretOnce } from '#components/base/forms/secret-once'
import { Button } from '#components/kit/button'
import { Row } from '#components/kit/layout'
import { screenIcons } from '#components/kit/screen-icons'
import { saveFile } from '#lib/client/save-file'
import {
  type DatedCodes,
  numberedCodes,
  scratchCodeFileName,
  scratchCodeText,
  sinceWhen,
  whoseCodes,
} from './scratch-codes'
import styles from './two-factor.module.css'

type ScratchCodesProps = Omit<DatedCodes, 'day'>

/** The scratch codes, with buttons to copy, download and print them. */
export function ScratchCodes({ codes, owner }: ScratchCodesProps) {
  const say = useTranslations('account.scratchCodes')
  const format = useFormatter()
  const [today] = useState(() => new Date())
  const day = format.dateTime(today, { dateStyle: 'long' })
  return (
    <>
      <SecretOnce
        label={say('title')}
        secret={numberedCodes(codes).join('\n')}
        copyLabel={say('copy')}
        shown={
          <ol className={`${styles.codes} ${styles.code}`} aria-label={say('title')}>
            {codes.map((code) => (
              <li key={code}>
                <span className={styles.half}>{code.slice(0, 4)}</span>
                <span className={styles.half}>{code.slice(4)}</span>
              </li>
            ))}
          </ol>
        }
        actions={<KeepButtons codes={codes} owner={owner} day={day} />}
      >
        {say('once')}
      </SecretOnce>
      <ScratchCodesSheet codes={codes} owner={owner} day={day} />
    </>
  )
}

function KeepButtons(dated: DatedCodes) {
  const { owner } = dated
  const say = useTranslations('account.scratchCodes')
  return (
    <Row>
      <Button
        icon={screenIcons.download}
        onPress={() => saveText(scratchCodeFileName(say, owner), scratchCodeText(say, dated))}
      >
        {say('download')}
      </Button>
      <Button icon={screenIcons.print} onPress={() => window.print()}>
        {say('print')}
      </Button>
    </Row>
  )
}

const saveText = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: 'text/plain;charset=utf-8' }))

/** The printed page while the scratch codes are on the screen. A child of the body, so that the style sheet can hide all else. */
function ScratchCodesSheet({ owner, codes, day }: DatedCodes) {
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
