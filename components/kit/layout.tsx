import type { ReactNode } from 'react'
import styles from './layout.module.css'

/** 4, 8, 12 and 24 pixels. */
type Gap = 'xs' | 's' | 'm' | 'l'

/** One below the other. */
export const Stack = ({ gap = 'm', children }: { gap?: Gap; children: ReactNode }) => (
  <div className={`${styles.stack} ${styles[gap]}`}>{children}</div>
)

type RowProps = { gap?: Gap; align?: 'start' | 'center' | 'end'; children: ReactNode }

/** Side by side; what has no room begins a new line. */
export const Row = ({ gap = 's', align = 'center', children }: RowProps) => (
  <div className={`${styles.line} ${styles[gap]} ${styles[align]}`}>{children}</div>
)

/** Columns of one width; on a phone one below the other. */
export const Columns = ({ count, children }: { count: 2 | 3; children: ReactNode }) => (
  <div className={`${styles.columns} ${count === 3 ? styles.three : ''}`}>{children}</div>
)

type HeadingProps = {
  level: 1 | 2 | 3
  counter?: ReactNode
  /** Behind the title: links about it. */
  info?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A title with what belongs to it: a number, a sentence below it, actions at the end of its line. */
export function Heading({ level, counter, info, about, actions, children }: HeadingProps) {
  const Title = `h${level}` as const
  return (
    <div className={styles.heading}>
      <div className={styles.titles}>
        <Title>
          {children}
          {counter !== undefined && <span className={styles.counter}> {counter}</span>}
        </Title>
        {info}
        {about && <p className="quiet">{about}</p>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

type CardProps = Partial<Omit<HeadingProps, 'children'>> & {
  title?: ReactNode
  footer?: ReactNode
  /** As high as what it stands in. */
  fill?: boolean
  children?: ReactNode
}

/** A part of a page in a frame of its own. */
export const Card = ({ title, footer, fill, children, level = 2, ...heading }: CardProps) => (
  <section className={`${styles.card} ${fill ? styles.fill : ''}`}>
    {title && (
      <div className={styles.head}>
        <Heading level={level} {...heading}>
          {title}
        </Heading>
      </div>
    )}
    <div className={styles.body}>{children}</div>
    {footer && <div className={styles.foot}>{footer}</div>}
  </section>
)

/** In the place of what is not there yet, in its height in pixels. */
export const Placeholder = ({ height }: { height: number }) => (
  <div className={styles.placeholder} style={{ blockSize: height }} aria-hidden="true" />
)
