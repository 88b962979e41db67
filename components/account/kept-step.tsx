import Button from '@cloudscape-design/components/button'
import FileInput from '@cloudscape-design/components/file-input'
import FormField from '@cloudscape-design/components/form-field'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { type SubmitEvent, useRef, useState } from 'react'
import type { TwoFactorProvider } from '#lib/auth/session.schema'
import { holdsEveryCode, readKeptFile } from './kept-codes'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'
import { plainCode } from './verification-code'

const formId = 'codes-are-kept'
const errorIcon = { errorIconAriaLabel: 'Error' }

type KeptStepProps = {
  provider: TwoFactorProvider
  codes: readonly string[]
  /** Which of the codes is asked for, counted from 0. */
  asked: number
  onBack: () => void
  onKept: () => void
}

/** Who has really kept the codes can type one of them, or show the file; neither leaves the browser. */
export function KeptStep({ provider, codes, asked, onBack, onKept }: KeptStepProps) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [file, setFile] = useState<{ file: File; holds: boolean }>()
  const input = useRef<InputProps.Ref>(null)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (file?.holds || plainCode(typed) === codes[asked]) return onKept()
    setWrong(true)
    input.current?.select()
  }
  const type = (value: string) => {
    setTyped(value)
    setWrong(false)
  }
  const choose = async (chosen: File | undefined) => {
    setWrong(false)
    setFile(chosen && { file: chosen, holds: holdsEveryCode(await readKeptFile(chosen), codes) })
  }
  return (
    <StepFrame
      provider={provider}
      step="codes"
      heading="Have you kept them?"
      description="Show it in one of two ways, so that the codes are there on the day you need them. Nothing of this is sent anywhere."
      actions={
        <>
          <Button variant="link" onClick={onBack}>
            Show the codes again
          </Button>
          <Button variant="primary" form={formId}>
            Next
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <SpaceBetween size="l">
          <FormField
            label={`Type your code number ${asked + 1}`}
            description="Its eight digits, out of what you copied, downloaded or printed."
            errorText={isWrong ? wrongText(typed, asked) : undefined}
            i18nStrings={errorIcon}
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
            label="Or choose the file that you downloaded"
            errorText={file?.holds === false ? lacksText(file.file) : undefined}
            i18nStrings={errorIcon}
          >
            <SpaceBetween size="xs">
              <FileInput
                accept=".txt,text/plain"
                value={file ? [file.file] : []}
                onChange={({ detail }) => void choose(detail.value[0])}
              >
                Choose the file
              </FileInput>
              {file?.holds && (
                <StatusIndicator type="success">{file.file.name} holds all ten codes.</StatusIndicator>
              )}
            </SpaceBetween>
          </FormField>
        </SpaceBetween>
      </form>
    </StepFrame>
  )
}

const wrongText = (typed: string, asked: number): string =>
  typed.trim() === ''
    ? `Type code number ${asked + 1}, or choose the file.`
    : `This is not your code number ${asked + 1}. Look at the codes again if you have not kept them yet.`

const lacksText = ({ name }: File): string => `${name} does not hold all of your codes. Choose another file.`
