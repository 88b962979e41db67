import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Text } from 'react-aria-components/Text'
import field from './field.module.css'

/** The fault and the hint below a field of React Aria, which ties them to it. */
export const About = ({ hint, error }: { hint: ReactNode; error: ReactNode }) => (
  <>
    <FieldError className={field.error ?? ''}>{error}</FieldError>
    {hint && (
      <Text slot="description" className={field.hint ?? ''}>
        {hint}
      </Text>
    )}
  </>
)
