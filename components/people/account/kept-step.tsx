import FileInput from '@cloudscape-design/components/file-input'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { plainCode } from '#components/base/session/verification-code'
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
  const input = useRef<InputProps.Ref>(null)
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
      <SpaceBetween size="l">
        <FormField
          label={say('type', { number })}
          description={say('typeHint')}
          errorText={isWrong ? say(typed.trim() === '' ? 'missing' : 'wrong', { number }) : undefined}
        >
          <div className={styles.digits}>
            <Input
              ref={input}
              autoFocus
              value={typed}
              onChange={({ detail }) => type(detail.value)}
              autoComplete={false}
              inputMode="numeric"
              spellcheck={false}
            />
          </div>
        </FormField>
        <CodesFile chosen={file} onChoose={(chosen) => void choose(chosen)} />
      </SpaceBetween>
    </StepFrame>
  )
}

type CodesFileProps = { chosen: ChosenFile | undefined; onChoose: (file: File | undefined) => void }

function CodesFile({ chosen, onChoose }: CodesFileProps) {
  const say = useTranslations('account.enrolment.kept')
  return (
    <FormField
      label={say('file')}
      errorText={chosen?.holds === false ? say('lacks', { file: chosen.file.name }) : undefined}
    >
      <SpaceBetween size="xs">
        <FileInput
          accept=".txt,text/plain"
          value={chosen ? [chosen.file] : []}
          onChange={({ detail }) => onChoose(detail.value[0])}
        >
          {say('choose')}
        </FileInput>
        {chosen?.holds && (
          <StatusIndicator type="success">{say('holds', { file: chosen.file.name })}</StatusIndicator>
        )}
      </SpaceBetween>
    </FormField>
  )
}
