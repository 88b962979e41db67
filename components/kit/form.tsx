import type { FormEvent, ReactNode, Ref } from 'react'
import styles from './form.module.css'

type FormProps = {
  title: string
  actions: ReactNode
  onSubmit: (event: FormEvent) => void
  ref?: Ref<HTMLFormElement>
  children: ReactNode
}

/** A form on a page of its own: what each part is about stands to its left. */
export const Form = ({ title, actions, onSubmit, ref, children }: FormProps) => (
  <form ref={ref} noValidate className={styles.form} onSubmit={onSubmit}>
    <h1>{title}</h1>
    {children}
    <div className={styles.actions}>{actions}</div>
  </form>
)

export const FormSection = ({
  title,
  about,
  children,
}: {
  title: string
  about: ReactNode
  children: ReactNode
}) => (
  <section className={styles.section}>
    <div>
      <h2>{title}</h2>
      <p>{about}</p>
    </div>
    <div className={styles.fields}>{children}</div>
  </section>
)
