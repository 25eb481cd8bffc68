// Sets the theme before the first paint. A file of its own, because the page's policy allows no inline scripts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  // What was chosen in this tab: a browser may store nothing.
  let chosen = null
  const stored = () => {
    try {
      return localStorage.getItem('holdfast.theme')
    } catch {
      return null
    }
  }
  const draw = () => {
    const own = chosen ?? stored()
    const theme = own === 'light' || own === 'dark' ? own : dark.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
  }
  draw()
  dark.addEventListener('change', draw)
  addEventListener('storage', () => {
    chosen = null
    draw()
  })
  addEventListener('holdfast:theme', ({ detail }) => {
    chosen = detail
    draw()
  })
})()
