/** The default theme, with drawings of Mermaid made in the browser. */
import DefaultTheme from 'vitepress/theme'
import { h, onMounted, ref } from 'vue'

let drawings = 0

const Drawing = {
  props: { code: { type: String, required: true } },
  setup({ code }) {
    const drawn = ref('')
    onMounted(async () => {
      const { default: mermaid } = await import('mermaid')
      mermaid.initialize({ startOnLoad: false, theme: 'neutral' })
      drawn.value = (await mermaid.render(`drawing-${++drawings}`, decodeURIComponent(code))).svg
    })
    return () => h('div', { innerHTML: drawn.value })
  },
}

export default { extends: DefaultTheme, enhanceApp: ({ app }) => app.component('Drawing', Drawing) }
