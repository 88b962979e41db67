import Button from '@cloudscape-design/components/button'
import Checkbox, { type CheckboxProps } from '@cloudscape-design/components/checkbox'
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useRef, useState } from 'react'
import { type ScratchCodeOwner, scratchCodeFileName, scratchCodeText } from './scratch-codes'
import { ScratchCodesSheet } from './scratch-codes-sheet'
import { StepFrame } from './step-frame'
import styles from './two-factor.module.css'

type CodesStepProps = {
  codes: readonly string[]
  owner: ScratchCodeOwner
  isKept: boolean
  onKeep: (isKept: boolean) => void
  onBack: () => void
  onNext: () => void
}

const today = () => new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date())

export function CodesStep({ codes, owner, isKept, onKeep, onBack, onNext }: CodesStepProps) {
  const [day] = useState(today)
  const [isMissed, setMissed] = useState(false)
  const box = useRef<CheckboxProps.Ref>(null)
  const next = () => {
    setMissed(!isKept)
    if (isKept) onNext()
    else box.current?.focus()
  }
  return (
    <StepFrame
      step="codes"
      focusHeading
      description="Each of these signs you in once when your phone is lost or broken. They are shown only now: keep them in a safe place, away from the phone."
      actions={
        <>
          <Button variant="link" onClick={onBack}>
            Back
          </Button>
          <Button variant="primary" onClick={next}>
            Next
          </Button>
        </>
      }
    >
      <SpaceBetween size="l">
        <ScratchCodes codes={codes} />
        <KeepButtons codes={codes} owner={owner} day={day} />
        <FormField
          errorText={
            isMissed && !isKept ? 'Copy, download or print the codes first, then tick this box.' : undefined
          }
          i18nStrings={{ errorIconAriaLabel: 'Error' }}
        >
          <Checkbox ref={box} checked={isKept} onChange={({ detail }) => onKeep(detail.checked)} ariaRequired>
            I have kept these codes
          </Checkbox>
        </FormField>
      </SpaceBetween>
      <ScratchCodesSheet codes={codes} owner={owner} day={day} />
    </StepFrame>
  )
}

const ScratchCodes = ({ codes }: { codes: readonly string[] }) => (
  <ul className={`${styles.codes} ${styles.code}`} aria-label="Scratch codes">
    {codes.map((code) => (
      <li key={code}>
        <span className={styles.half}>{code.slice(0, 4)}</span>
        <span className={styles.half}>{code.slice(4)}</span>
      </li>
    ))}
  </ul>
)

type KeepButtonsProps = { codes: readonly string[]; owner: ScratchCodeOwner; day: string }

const KeepButtons = ({ codes, owner, day }: KeepButtonsProps) => (
  <SpaceBetween direction="horizontal" size="xs">
    <CopyToClipboard
      copyButtonText="Copy"
      textToCopy={codes.join('\n')}
      copySuccessText="Codes copied"
      copyErrorText="The browser does not allow copying here. Download or print the codes."
    />
    <Button
      iconName="download"
      onClick={() => saveText(scratchCodeFileName(owner), scratchCodeText(owner, codes, day))}
    >
      Download
    </Button>
    <Button iconSvg={printer} onClick={() => window.print()}>
      Print
    </Button>
  </SpaceBetween>
)

function saveText(name: string, text: string): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(anchor.href)
}

const printer = (
  <svg viewBox="0 0 16 16" focusable="false" aria-hidden="true">
    <path d="M4 6V1h8v5M4 12H2V6h12v6h-2M4 9.5h8V15H4z" />
  </svg>
)
