package dev.pawl.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Of what the application would find by scanning, nothing is taken. */
final class NothingScanned extends TypeExcludeFilter {
    @Override
    public boolean match(MetadataReader metadataReader, MetadataReaderFactory metadataReaderFactory) {
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NothingScanned;
    }

    @Override
    public int hashCode() {
        return NothingScanned.class.hashCode();
    }
}
