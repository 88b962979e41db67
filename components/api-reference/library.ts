import type { createElement } from 'react'

/* Plugins of Swagger UI that make its components accessible. */

type Props = Record<string, unknown>
type System = { React: { createElement: typeof createElement } }
type Wrapped = Parameters<typeof createElement>[0]
type Wrap = (original: Wrapped, system: System) => (props: Props) => unknown

/** Removes a link inside of the button that expands an operation. Expanding writes the same address. */
const DeepLink: Wrap =
  (_, { React }) =>
  ({ text }) =>
    React.createElement('span', null, String(text))

/** Gives a select an accessible name. */
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

/** `valueName`: the accessible name of selects. */
export const accessible = (valueName: string) => () => ({
  wrapComponents: { DeepLink, Select: select(valueName) },
})
