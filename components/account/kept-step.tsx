import FileInput from '@cloudscape-design/components/file-input'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { plainCode } from '#components/session/verification-code'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
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

/** Users who have kept the codes can type one of them or choose the file. Neither leaves the browser. */
export function KeptStep({ provider, codes, indexToType, onBack, onKept }: KeptStepProps) {
  const say = useTranslations('account.enrolment.kept')
  const sayCommon = useTranslations('common')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [file, setFile] = useState<{ file: File; holds: boolean }>()
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
        <FormField
          label={say('file')}
          errorText={file?.holds === false ? say('lacks', { file: file.file.name }) : undefined}
        >
          <SpaceBetween size="xs">
            <FileInput
              accept=".txt,text/plain"
              value={file ? [file.file] : []}
              onChange={({ detail }) => void choose(detail.value[0])}
            >
              {say('choose')}
            </FileInput>
            {file?.holds && (
              <StatusIndicator type="success">{say('holds', { file: file.file.name })}</StatusIndicator>
            )}
          </SpaceBetween>
        </FormField>
      </SpaceBetween>
    </StepFrame>
  )
}
