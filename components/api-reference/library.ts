import type { createElement } from 'react'

/* What the library leaves inaccessible, mended by its own means: plugins that wrap its components. */

type Props = Record<string, unknown>
type System = { React: { createElement: typeof createElement } }
type Wrapped = Parameters<typeof createElement>[0]
type Wrap = (original: Wrapped, system: System) => (props: Props) => unknown

/** A link inside of the button that unfolds the operation; the address is written when it unfolds. */
const DeepLink: Wrap =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, String(text))

/** A list to choose from, with a name. */
const select =
  (name: string): Wrap =>
  (original, { React }) =>
  (props) =>
    React.createElement(
      'label',
      { className: 'named-select' },
      React.createElement('span', null, name),
      React.createElement(original, props),
    )

/** `valueName`: what a list to choose from is called. */
export const accessible = (valueName: string) => () => ({
  wrapComponents: { DeepLink, Select: select(valueName) },
})
