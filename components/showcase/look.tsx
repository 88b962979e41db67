import { icons } from '#components/kit/icons'
import { screenIcons } from '#components/kit/screen-icons'
import { SignOf } from '#components/kit/state'
import { signs } from './made-up-ips'
import { Named, Sample } from './sample'
import styles from './showcase.module.css'

const colors: Record<string, readonly string[]> = {
  Surfaces: ['ground', 'paper', 'raised', 'well'],
  'Lines and ink': ['hair', 'edge', 'rim', 'ink-3', 'ink-2', 'ink'],
  Accent: ['accent-fill', 'accent-ink', 'tint', 'tint-2'],
  States: ['fine', 'fine-tint', 'warn', 'warn-tint', 'fault', 'fault-fill', 'fault-tint'],
}

const types: readonly [name: string, font: string, text: string][] = [
  ['Title', '600 20px / 28px var(--sans)', 'Madrid public, 203.0.113.0/24'],
  ['Head', '600 14px / 20px var(--sans)', 'Addresses of all networks'],
  ['Text', 'var(--type)', 'An address is free until a rule or a machine uses it.'],
  ['Small', 'var(--small)', 'Changed 3 minutes ago by Ada Byron'],
  ['Mono', '500 12.5px / 20px var(--mono)', '203.0.113.17 → 10.0.0.4:8443'],
]

export const Look = () => (
  <>
    {Object.entries(colors).map(([title, names]) => (
      <Sample key={title} title={title}>
        {names.map((name) => (
          <Named key={name} name={name}>
            <i className={styles.swatch} style={{ background: `var(--${name})` }} />
          </Named>
        ))}
      </Sample>
    ))}
    <Sample title="Type" as="stack">
      {types.map(([name, font, text]) => (
        <div key={name} className={styles.type}>
          <small>{name}</small>
          <span style={{ font }}>{text}</span>
        </div>
      ))}
    </Sample>
    <Sample title="Signs of a state">
      {Object.entries(signs).map(([name, sign]) => (
        <span key={name} className={styles.state}>
          <SignOf sign={sign} />
          {name}
        </span>
      ))}
    </Sample>
    <Sample title="Icons">
      {Object.entries({ ...icons, ...screenIcons }).map(([name, icon]) => (
        <Named key={name} name={name}>
          <span className={styles.icon}>{icon}</span>
        </Named>
      ))}
    </Sample>
  </>
)
