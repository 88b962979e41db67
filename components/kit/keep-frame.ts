/** React Aria hides the page from screen readers while a list is open, but Tab still leads there. So the page stays. */
export const keepFrame = (isOpen: boolean): void => {
  for (const part of document.querySelectorAll('.kit'))
    part.toggleAttribute('data-react-aria-top-layer', isOpen)
}
