import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { plainCode } from '#components/base/session/verification-code'
import { TextField } from '#components/kit/field'
import { FileDrop } from '#components/kit/file-drop'
import { Stack } from '#components/kit/layout'
import { Status } from '#components/kit/status'
import type { TwoFactorProvider } from '#lib/caller/auth/session.schema'
import { holdsEveryCode, readCodesFile } from './scratch-codes'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type KeptStepProps = {
  provider: TwoFactorProvider
  codes: readonly string[]
  /** The index of the code to type. */
  indexToType: number
  onBack: () => void
  onKept: () => void
}

/** `holds`: the file has every code. */
type ChosenFile = { file: File; holds: boolean }

/** Users confirm that they kept the codes by typing one of them or by choosing the file. Neither leaves the browser. */
export function KeptStep({ provider, codes, indexToType, onBack, onKept }: KeptStepProps) {
  const say = useTranslations('account.enrolment.kept')
  const sayCommon = useTranslations('common')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [file, setFile] = useState<ChosenFile>()
  const input = useRef<HTMLInputElement>(null)
  const number = indexToType + 1

  const submit = () => {
    if (file?.holds || plainCode(typed) === codes[indexToType]) return onKept()
    setWrong(true)
    input.current?.select()
  }
  const type = (value: string) => {
    setTyped(value)
    setWrong(false)
  }
  const choose = async (chosen: File | undefined) => {
    setWrong(false)
    setFile(chosen && { file: chosen, holds: holdsEveryCode(await readCodesFile(chosen), codes) })
  }
  return (
    <StepFrame
      provider={provider}
      step="codes"
      heading={say('title')}
      description={say('about')}
      back={{ label: say('again'), onClick: onBack }}
      next={{ label: sayCommon('next') }}
      onNext={submit}
    >
      <Stack gap="l">
        <div className={styles.digits}>
          <TextField
            ref={input}
            label={say('type', { number })}
            hint={say('typeHint')}
            error={isWrong && say(typed.trim() === '' ? 'missing' : 'wrong', { number })}
            digits
            autoFocus
            value={typed}
            onChange={type}
            autoComplete="off"
            inputMode="numeric"
            spellCheck={false}
          />
        </div>
        <CodesFile chosen={file} onChoose={(chosen) => void choose(chosen)} />
      </Stack>
    </StepFrame>
  )
}

type CodesFileProps = { chosen: ChosenFile | undefined; onChoose: (file: File | undefined) => void }

function CodesFile({ chosen, onChoose }: CodesFileProps) {
  const say = useTranslations('account.enrolment.kept')
  const format = useFormatter()
  return (
    <Stack gap="s">
      <FileDrop
        label={say('file')}
        error={chosen?.holds === false && say('lacks', { file: chosen.file.name })}
        accept=".txt,text/plain"
        file={chosen?.file}
        words={{ choose: say('choose'), drop: say('drop'), remove: (name) => say('remove', { name }) }}
        size={(bytes) => format.number(bytes, { style: 'unit', unit: 'byte' })}
        onChange={onChoose}
      />
      {chosen?.holds && <Status kind="good">{say('holds', { file: chosen.file.name })}</Status>}
    </Stack>
  )
}
