//! What the validation layer complains about.

use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::sync::Mutex;

use ash::vk;

/// The layer that checks every call.
pub(crate) const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Complaints that nobody has taken yet.
#[derive(Default)]
pub(crate) struct Messages(Mutex<Vec<String>>);

impl Messages {
    fn add(&self, message: String) {
        self.lock().push(message);
    }

    /// Takes them, joined; `None` if there are none.
    pub(crate) fn take(&self) -> Option<String> {
        let messages = std::mem::take(&mut *self.lock());
        (!messages.is_empty()).then(|| messages.join("\n"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        // A list of strings is whole whatever thread ended amid a push.
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// What a messenger is made of that adds to `messages`, which have to outlive it.
pub(crate) fn messenger(messages: &Messages) -> vk::DebugUtilsMessengerCreateInfoEXT<'_> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
        .pfn_user_callback(Some(collect))
        .user_data(std::ptr::from_ref(messages).cast_mut().cast())
}

unsafe extern "system" fn collect(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the loader gives back what `messenger` was given, which outlives the messenger, and
    // is only ever shared.
    let messages = unsafe { messages.cast::<Messages>().as_ref() };
    // SAFETY: the layer gives a structure that lives as long as this call.
    let data = unsafe { data.as_ref() };
    if let (Some(messages), Some(data)) = (messages, data) {
        // SAFETY: the layer gives a string that ends, or null.
        let text = unsafe { data.message_as_c_str() }.map(CStr::to_string_lossy);
        messages.add(text.unwrap_or(Cow::Borrowed("no message")).into_owned());
    }
    // The call goes on all the same.
    vk::FALSE
}
